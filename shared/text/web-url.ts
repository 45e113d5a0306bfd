/** Addresses that a page may link to: http and https, nothing that runs. Judged where they are written and where shown. */

/** Whether a text is an absolute `http` or `https` address without a user name or password in it. Pure. */
export function isWebUrl(text: string): boolean {
  // The parser drops blanks and control characters that it meets; what it must drop was no address.
  if (!/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}
