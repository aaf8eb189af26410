export { CommandPalette } from "./command-palette.js";
export { KeysDialog } from "./keys-dialog.js";
export { PreferencesMenu } from "./preferences-menu.js";
