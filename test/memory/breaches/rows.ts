import type { Breach } from "../../../src/breaches/catalogue/breach.ts";
import type { ClaimedLogo, Exposure, KeptLogo } from "../../../src/breaches/ports.ts";

export type BreachRow = {
  source: string;
  breach: Breach;
  hash: string;
  removedAt: Date | undefined;
  sameAs: string | undefined;
  /** Earlier titles, lowered. */
  former: string[];
  awaitedUntil?: Date | undefined;
};

export type ExposureRow = Exposure & { address: string };
export const keyOf = (address: string, breachName: string) => `${address} ${breachName}`;

export type LogoRow = ClaimedLogo & { kept: KeptLogo | undefined; nextAt: Date };
