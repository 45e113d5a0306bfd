/** What a style sheet is to a test that draws parts of pages without the build of the pages. */
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
declare module "*.css";
