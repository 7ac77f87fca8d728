/** Random 256-bit token, base64url. It leaves the server once, in a cookie or a link. */
export type NewToken = () => string;
/** SHA-256 of a token in hex: the only form that is stored. */
export type HashToken = (token: string) => string;
/** Keyed hash (HMAC-SHA-256, base64url) for short or guessable values; `purpose` keeps uses apart. */
export type Mac = (purpose: string, value: string) => string;
/** Encrypts secrets that are stored until they are sent, and decrypts them (AES-256-GCM). */
export type Cipher = { encrypt(plain: string): string; decrypt(sealed: string): string };
