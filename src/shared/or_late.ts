/** What `work` resolves to, or `late` if it takes longer than `ms`. */
export function orLate<Value, Late>(ms: number, work: Promise<Value>, late: Late): Promise<Value | Late> {
  const { promise, resolve } = Promise.withResolvers<Late>();
  const timer = setTimeout(resolve, ms, late);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
