import type { ImageType } from "./logo_image.ts";

/** What a source of logos says of one picture. `path` is as the breach's catalogue entry names it. */
export type LogoAnswer =
  | {
      kind: "logo";
      type: ImageType;
      bytes: Uint8Array<ArrayBuffer> /** SHA-256, hex. */;
      digest: string;
      etag?: string;
    }
  /** Still the one with that `etag`. */
  | { kind: "unchanged" }
  /** There is no such picture, or it is none of this source's. */
  | { kind: "missing" }
  /** What came is not to be kept: no picture, cut off, too large. */
  | { kind: "refused"; reason: string }
  /** No answer about this picture. Others need not be asked for now either. */
  | { kind: "later"; afterMs: number; reason: string /** It is only not our turn yet. */; isTurn?: boolean };

/** Where pictures of breached services come from. Only the server asks it, each picture once. */
export type LogoSource = {
  ask(path: string, etag?: string): Promise<LogoAnswer>;
};

export type Logo = { type: ImageType; bytes: Uint8Array<ArrayBuffer> };
export type KeptLogo = Logo & { file: string; etag: string | undefined; fetchedAt: Date };
export type ClaimedLogo = { path: string; etag: string | undefined; failures: number };

/** The pictures that are kept, by their catalogue entries' paths; several breaches may share one. */
export type LogoRepository = {
  /**
   * Pictures that are missing or due to be asked for again, those of breaches with alerts first; nobody else gets them
   * before `until`.
   */
  claimDue(limit: number, now: Date, until: Date): Promise<ClaimedLogo[]>;
  keep(path: string, logo: KeptLogo, nextAt: Date): Promise<void>;
  /** To be asked for again at `nextAt`; what is kept stays. */
  postpone(path: string, nextAt: Date, failures: number): Promise<void>;
  /** By the name that it is served under. */
  find(file: string): Promise<Logo | undefined>;
  /** The names under which the logos of these breaches are served, where they are kept. */
  filesOf(names: string[]): Promise<Map<string, string>>;
};
