/** Whether a browser lets its page views be counted: neither Do Not Track nor Global Privacy Control is switched on. */
export interface Wishes {
  doNotTrack?: string | null;
  globalPrivacyControl?: boolean;
}

export function mayCount({ doNotTrack, globalPrivacyControl }: Wishes): boolean {
  return doNotTrack !== "1" && doNotTrack !== "yes" && globalPrivacyControl !== true;
}
