/** Texts that are read together; the words of the ways in and of failures come first, with the app. */
const TEXTS = {
  more: ["ui", "sources"],
  home: ["tracking", "billing", "figures", "data_groups"],
  breach: ["alerts", "data_classes", "seriousness", "handling", "flags", "monitoring"],
  // Much to read, and only where somebody opens an alert or an address.
  advice: ["advice", "together"],
  account: ["profile", "api_tokens", "acceptance", "contacts", "drill", "support"],
  staff: ["staff", "incidents"],
  legal: ["terms", "privacy"],
  open: ["consent", "service_status", "developers"],
};

/** One chunk per language and group of topics. */
function languageChunk(id: string): string | null {
  const [, language, topic = "", part] = /\/locales\/(\w+)\/(\w+)\.json(\?\w+)?$/.exec(id) ?? [];
  if (language === undefined) return null;
  // In any language, whichever the page has.
  if (part === "?invitation") return `invitation-texts-${language}`;
  if (topic === "errors" || part !== undefined) return `texts-${language}`;
  const group = Object.entries(TEXTS).find(([, topics]) => topics.includes(topic));
  return group ? `${group[0]}-texts-${language}` : null;
}

/** Heavy, and not for every page: what floats or lies above a page, and what only some forms need. */
const HEAVY = [
  ...["Combobox", "Select", "Popover", "[Ff]loating", "ScrollArea", "Modal(?!/?(Modal)?Stack)", "Overlay", "Portal"],
  ...["focus-trap", "focus-return", "scope-tab", "tabbable", "long-press"],
  ...["Textarea", "valibot", "inputs\\.ts", "password_question", "staff", "copy_field", "channel_icon"],
];

// What the first screen needs is one file, and the login comes with it: a stranger's first, and small. A group takes its
// dependencies along. What most screens share is one more, and what a login leads to: the frame of signed-in people with the
// dashboard. Strangers' pages and dialogs do not need that one, so what they have in common with it is by itself.
export const CHUNKS = [
  { name: languageChunk, debugName: "texts", priority: 6 },
  { name: "initial", tags: ["$initial" as const], priority: 5 },
  { name: "more", test: /\/web\/styles\/mantine_more\.css$/, priority: 5 },
  { name: "common", test: new RegExp(`^(?!.*(${HEAVY.join("|")})).*\\.(m?js|tsx?)$`), minShareCount: 5, priority: 4 },
  { name: "home", test: /\/web\/(app\/signed_in_frame|tracking\/dashboard)\.tsx$/, priority: 3 },
  { name: "floating", test: /node_modules\/(@floating-ui|tabbable)\//, priority: 2 },
  { name: "overlays", test: /\/web\/ui\/overlays\.ts$/, priority: 2 },
  { name: "inputs", test: /node_modules\/valibot\/|\/src\/identity\/(\w+_)?inputs\.ts$/, priority: 2 },
  { name: "choices", test: /node_modules\/@mantine\/core\/.*\/(Select|Combobox|Popover)\//, priority: 2 },
  { name: "shared", test: /\.(m?js|tsx?)$/, minShareCount: 5, priority: 1 },
];
