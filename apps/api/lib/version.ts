/** The version of the application: that of `package.json`, which it does not read at run time; a test compares them. */
export const VERSION = "0.1.0";
