import type { ImageType } from "./logo_image.ts";

/** The result of fetching a picture. `path` is as in the breach's catalogue entry. */
export type LogoAnswer =
  | {
      kind: "logo";
      type: ImageType;
      bytes: Uint8Array<ArrayBuffer> /** SHA-256, hex. */;
      digest: string;
      etag?: string;
    }
  /** Not modified since that `etag`. */
  | { kind: "unchanged" }
  /** There is no such picture, or it is on none of this source's hosts. */
  | { kind: "missing" }
  /** The response is rejected: no picture, truncated, or too large. */
  | { kind: "refused"; reason: string }
  /** No conclusive response; requests for other pictures should wait, too. `isRateLimit`: by our own limit. */
  | { kind: "later"; afterMs: number; reason: string; isRateLimit?: boolean };

/** Where logos are fetched from. Only the server requests them, each once. */
export type LogoSource = {
  ask(path: string, etag?: string): Promise<LogoAnswer>;
};

export type Logo = { type: ImageType; bytes: Uint8Array<ArrayBuffer> };
export type KeptLogo = Logo & { file: string; etag: string | undefined; fetchedAt: Date };
export type ClaimedLogo = { path: string; etag: string | undefined; failures: number };

/** Stored pictures by the paths in the catalogue; several breaches may share one. */
export type LogoRepository = {
  /** Claims pictures that are missing or due for a refresh until `until`, those of breaches with alerts first. */
  claimDue(limit: number, now: Date, until: Date): Promise<ClaimedLogo[]>;
  keep(path: string, logo: KeptLogo, nextAt: Date): Promise<void>;
  /** Schedules the next attempt at `nextAt`; the stored picture is kept. */
  postpone(path: string, nextAt: Date, failures: number): Promise<void>;
  /** By the file name under which it is served. */
  find(file: string): Promise<Logo | undefined>;
  /** The file names of these breaches' logos, if stored. */
  filesOf(names: string[]): Promise<Map<string, string>>;
};
