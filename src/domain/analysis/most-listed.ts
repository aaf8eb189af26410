/** How many elements a list has at most, of a summary or of a comparison. */
export const MOST_LISTED = 50;
