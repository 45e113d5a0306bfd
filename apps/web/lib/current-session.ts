/**
 * Which session this tab shows. It is kept in the tab (sessionStorage), not in the address: a session belongs to one
 * browser, so its address would be a link that works for nobody else, and ids would enter histories and logs. A reload
 * and a visit to another page come back to it; a new tab begins anew. Storage that is off costs only that.
 */
const KEY = "xr_session";

export function recallSession(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function rememberSession(id: string | null): void {
  try {
    if (id === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, id);
  } catch {
    // The session is still in the list.
  }
}
