/** Puts a text on the clipboard; browser only. Resolves to whether it is there. */
export async function copyText(text: string): Promise<boolean> {
  // Browsers give the clipboard to secure origins only, and a site on a home network is not one.
  if (!navigator.clipboard) return copyFromField(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function copyFromField(text: string): boolean {
  const back = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.cssText = "position:fixed;opacity:0";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (back instanceof HTMLElement) back.focus();
  return copied;
}
