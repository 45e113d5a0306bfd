/** Hands a text to the browser as a file. */

/** Long enough for a browser to take the file over, after which its address is void. */
const TAKEN_MS = 60_000;

export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), TAKEN_MS);
}
