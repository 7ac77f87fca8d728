import { fail, ok, type Result } from "../../shared/result.ts";
import type { BreachDeps, ClaimedLogo, Logo, LogoAnswer, LogoSource } from "../ports.ts";
import { IMAGE_ENDINGS } from "./logo_image.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const BATCH = 10;
const LEASE_MS = 15 * MINUTE_MS;
const LONGEST_WAIT_MS = 10_000;
/** Refresh interval of a stored logo; missing ones are retried a little sooner. */
const KEPT_MS = 60 * DAY_MS;
const MISSING_MS = 14 * DAY_MS;
const RETRY_MS = [15 * MINUTE_MS, 60 * MINUTE_MS, 6 * 60 * MINUTE_MS, DAY_MS];
const REFUSED_MS = [DAY_MS, 7 * DAY_MS, 30 * DAY_MS];

/** The address of a kept picture at our own origin. */
export function logoAddress(file: string | undefined): string | null {
  return file === undefined ? null : `/api/logos/${file}`;
}

function stepOf(steps: number[], failures: number): number {
  return steps[Math.min(failures, steps.length - 1)] ?? 0;
}

/** Logos of breached services, fetched once by the server and served from here, so that browsers contact no third party. */
export function logos({ transaction, logoSource, now, sleep, report }: BreachDeps) {
  function after(ms: number): Date {
    return new Date(now().getTime() + ms);
  }

  async function fetchLogo(source: LogoSource, { path, etag }: ClaimedLogo): Promise<LogoAnswer> {
    for (;;) {
      const answer = await source.ask(path, etag);
      if (answer.kind !== "later" || !answer.isRateLimit || answer.afterMs > LONGEST_WAIT_MS) return answer;
      await sleep(answer.afterMs);
    }
  }

  function record({ path, failures }: ClaimedLogo, answer: LogoAnswer): Promise<void> {
    return transaction(async ({ logos: kept }) => {
      switch (answer.kind) {
        case "logo": {
          const { type, bytes, digest } = answer;
          const file = `${digest.slice(0, 32)}.${IMAGE_ENDINGS[type]}`;
          return kept.keep(path, { file, type, bytes, etag: answer.etag, fetchedAt: now() }, after(KEPT_MS));
        }
        case "unchanged":
          return kept.postpone(path, after(KEPT_MS), 0);
        case "missing":
          // A stored logo is kept even if the source has removed it.
          return kept.postpone(path, after(MISSING_MS), 0);
        case "refused":
          return kept.postpone(path, after(stepOf(REFUSED_MS, failures)), failures + 1);
        case "later":
          return kept.postpone(
            path,
            after(Math.max(answer.afterMs, answer.isRateLimit ? 0 : stepOf(RETRY_MS, failures))),
            failures + (answer.isRateLimit ? 0 : 1),
          );
      }
    });
  }

  return {
    /** Fetches a few missing logos; returns the number of new ones. */
    async fetchLogos(): Promise<number> {
      if (logoSource === undefined) return 0;
      const claimed = await transaction(({ logos: kept }) => kept.claimDue(BATCH, now(), after(LEASE_MS)));
      let fetched = 0;
      for (const [index, logo] of claimed.entries()) {
        const answer = await fetchLogo(logoSource, logo);
        await record(logo, answer);
        if (answer.kind === "logo") fetched += 1;
        if (answer.kind === "refused") report(new Error(`Cannot keep a logo: ${answer.reason}`), { path: logo.path });
        if (answer.kind !== "later") continue;
        if (!answer.isRateLimit) report(new Error(answer.reason), { job: "logos" });
        // The source is unavailable, so the rest is postponed.
        for (const other of claimed.slice(index + 1)) await record(other, { ...answer, isRateLimit: true });
        break;
      }
      return fetched;
    },

    showLogo(file: string): Promise<Result<Logo, "NOT_FOUND">> {
      return transaction(async ({ logos: kept }) => {
        const logo = await kept.find(file);
        return logo ? ok(logo) : fail("NOT_FOUND");
      });
    },
  };
}
