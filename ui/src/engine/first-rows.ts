/** How many rows make a page, and come unasked with whatever says that there are other rows now. */
export const FIRST_ROWS = 60;
