/**
 * Keeps provider keys encrypted at rest (§23): AES-256-GCM, laid out as nonce(12) ‖ ciphertext ‖ tag(16). The additional
 * data says where a secret belongs (`table:name`), so that a value moved to another row does not open. One changed byte
 * fails instead of giving garbage that would be sent upstream.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export interface SecretBox {
  /** Encrypts; the same text gives other bytes each time. */
  seal(plain: string, aad: string): Buffer;
  /** Decrypts, or throws `SecretBoxError` when key, bytes or `aad` are not those of the sealing. */
  open(sealed: Uint8Array, aad: string): string;
}

export class SecretBoxError extends Error {
  override readonly name = "SecretBoxError";
}

/**
 * A box for the key of `CONFIG_ENCRYPTION_KEY`, base64 of 32 bytes. A missing or malformed key is noticed at the first
 * use, as `SecretBoxError`, so that a site without any secret needs none.
 */
export function secretBox(base64Key: string): SecretBox {
  const key = () => {
    const bytes = Buffer.from(base64Key, "base64");
    if (bytes.length !== KEY_BYTES) throw new SecretBoxError("The configuration key is not 32 bytes of base64.");
    return bytes;
  };
  return {
    seal(plain, aad) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key(), nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(aad, "utf8"));
      return Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, aad) {
      const bytes = Buffer.from(sealed);
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SecretBoxError("The secret is too short to be one.");
      const decipher = createDecipheriv("aes-256-gcm", key(), bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(aad, "utf8"));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([plain, decipher.final()]).toString("utf8");
      } catch {
        throw new SecretBoxError("The secret does not open with this key.");
      }
    },
  };
}

/** What may be shown of a secret: its first 3 and last 4 characters, and of one under 12 characters nothing. */
export function maskSecret(plain: string): string {
  return plain.length < 12 ? "…" : `${plain.slice(0, 3)}…${plain.slice(-4)}`;
}
