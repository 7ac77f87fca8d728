import { fail, ok, type Result } from "../../../shared/result.ts";
import { normalised } from "../../../shared/unicode.ts";
import { NO_PASSWORD, type PasswordHasher } from "../../ports.ts";

const PARAMETERS = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const PREFIX = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=1$`;
/** Hash of a random, discarded password: unknown accounts are verified against it, so that they take as long as known ones. */
const NOBODYS_HASH = `${PREFIX}k8+2yl/y/3KCHCLRPuNKAf4bXSlztn8qdmIjGwGLuK8$zSGq6y0BCMKmBczC9R61JSR7pTQvWaSK6H6baFl93wY`;

const AT_ONCE = 2;
const QUEUE = 32;
/** A full queue takes less time. */
const RETRY_SECONDS = 2;

/** Argon2id by Bun, off the main thread. Passwords are compared in NFKC, independent of the keyboard's composition. */
export function passwordHasher(): PasswordHasher {
  const run = queue(AT_ONCE, QUEUE);
  return {
    hash: (password) => run(() => Bun.password.hash(normalised(password, "NFKC"), PARAMETERS)),
    verify: (password, hash) =>
      run(async () => {
        const has = hash !== undefined && hash !== NO_PASSWORD;
        const equal = await Bun.password.verify(normalised(password, "NFKC"), has ? hash : NOBODYS_HASH);
        return { matches: equal && has, outdated: has && !hash.startsWith(PREFIX) };
      }),
  };
}

/** A queue with a concurrency limit of `atOnce` and at most `waitingMax` waiting; further calls get BUSY immediately. */
export function queue(atOnce: number, waitingMax: number) {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async function run<T>(work: () => Promise<T>): Promise<Result<T, "BUSY">> {
    if (running < atOnce) running++;
    else if (waiting.length >= waitingMax) return fail("BUSY", { retryAfter: RETRY_SECONDS });
    // A finished task hands its slot over, so `running` does not change.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return ok(await work());
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
