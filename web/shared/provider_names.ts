const PROVIDER_NAMES: Record<string, string> = { google: "Google", github: "GitHub", microsoft: "Microsoft" };

/** What a recorded sign-in provider is called: well-known ones by their brand, others as they were recorded. */
export function providerName(recorded: string): string {
  return Object.hasOwn(PROVIDER_NAMES, recorded) ? (PROVIDER_NAMES[recorded] ?? recorded) : recorded;
}
