import { FILE_SOURCE_OPTIONS } from "../adapters/files/catalog/file-source-options.js";
import { checkOptions } from "../domain/options/check-options.js";
import { FOLDER, required } from "../domain/options/option-kinds.js";

/**
 * Checks what a source that reads files is made of.
 *
 * @param name of the parameter `folder`
 * @throws TypeError for a folder that is no path, and for an option that there is not, or whose value is of another kind
 * @throws RangeError for a number out of range
 */
export function checkFileSource(name: string, folder: string, options: object): void {
  checkOptions({ [name]: required(FOLDER) }, { [name]: folder });
  checkOptions(FILE_SOURCE_OPTIONS, options);
}
