/** Factor by which the JIT compiler's thresholds are raised while idle. */
const RELUCTANCE = 1000;
/** A job that finds nothing to do takes less. */
const LONG_MS = 500;
/** Health checks and metrics, which supervisors request periodically. */
const PROBE = /\/(?:livez|readyz|metrics)(?:\?|$)/;

let isHeldBack = false;

/** Delays JIT compilation while the process is idle: start-up code and polling are not worth compiling. */
export function holdBackCompiler(): void {
  Bun.unsafe.setJITPolicy(RELUCTANCE);
  isHeldBack = true;
}

/** Restores normal JIT compilation, as there is work to do. */
export function letCompile(): void {
  if (!isHeldBack) return;
  isHeldBack = false;
  Bun.unsafe.setJITPolicy(1);
}

/** Called for every request; health checks do not count as work. */
export function letCompileFor(url: string): void {
  if (isHeldBack && !PROBE.test(url)) letCompile();
}

/** Restores JIT compilation when a run takes long, even if nothing else signals work: such as a large check without findings. */
export async function compiledWhenLong<T>(run: () => Promise<T>): Promise<T> {
  const timer = isHeldBack ? setTimeout(letCompile, LONG_MS) : undefined;
  try {
    return await run();
  } finally {
    clearTimeout(timer);
  }
}
