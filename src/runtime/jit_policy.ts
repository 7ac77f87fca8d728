/** So many times as often as usual something has to run before it is compiled. */
const RELUCTANCE = 1000;
/** A look whether there is something to do takes less. */
const LONG_MS = 500;
/** What supervisors ask again and again. */
const PROBE = /\/(?:livez|readyz|metrics)(?:\?|$)/;

let isHeldBack = false;

/** What runs but once, at the start, or looks every few seconds whether there is something to do, is not worth being compiled. */
export function holdBackCompiler(): void {
  Bun.unsafe.setJITPolicy(RELUCTANCE);
  isHeldBack = true;
}

/** There is something to do: from now on code is compiled as usual. */
export function letCompile(): void {
  if (!isHeldBack) return;
  isHeldBack = false;
  Bun.unsafe.setJITPolicy(1);
}

/** Somebody asks for something, unless it is a probe. */
export function letCompileFor(url: string): void {
  if (isHeldBack && !PROBE.test(url)) letCompile();
}

/** What takes so long has something to do, also where nobody is told of it: a check of very many that finds nothing. */
export async function compiledWhenLong<T>(run: () => Promise<T>): Promise<T> {
  const timer = isHeldBack ? setTimeout(letCompile, LONG_MS) : undefined;
  try {
    return await run();
  } finally {
    clearTimeout(timer);
  }
}
