import type { Block, BreachItem } from "./content.ts";

/** Breaches by their titles alone, each with the address that it concerns where the list has several. */
function briefly(breaches: BreachItem[]): BreachItem[] {
  return breaches.map(({ title, facts }) => ({
    title,
    badges: [],
    facts: facts.filter(({ identifies }) => identifies),
  }));
}

/** The first `count` breaches, and how many more there are. */
function firstOf(breaches: BreachItem[], count: number): BreachItem[] {
  return [...breaches.slice(0, count), { title: `… +${breaches.length - count}`, badges: [], facts: [] }];
}

function without(blocks: Block[], dropped: Block | undefined): Block[] {
  return blocks.filter((block) => block !== dropped);
}

function mapBreaches(blocks: Block[], change: (breaches: BreachItem[]) => BreachItem[]): Block[] {
  return blocks.map((block) => (block.kind === "breaches" ? { ...block, breaches: change(block.breaches) } : block));
}

/** Ever shorter versions: advice goes first and what was found last, and for which address never. */
function* versionsOf(blocks: Block[]): Generator<Block[]> {
  let left = blocks;
  yield left;
  const [lead] = blocks.filter(({ kind }) => kind === "paragraph");
  for (const kind of ["steps", "paragraph", "note"] as const)
    for (const block of blocks.filter((one) => one.kind === kind && one !== lead).toReversed()) {
      left = without(left, block);
      yield left;
    }
  left = mapBreaches(left, briefly);
  yield left;
  left = without(left, lead);
  yield left;
  const most = Math.max(0, ...left.map((block) => (block.kind === "breaches" ? block.breaches.length : 0)));
  for (let count = most - 1; count > 0; count--)
    yield mapBreaches(left, (breaches) => (breaches.length > count ? firstOf(breaches, count) : breaches));
}

/** The longest version of a message that fits a channel; undefined when even the shortest does not. */
export function shortened(blocks: Block[], fits: (blocks: Block[]) => boolean): Block[] | undefined {
  for (const version of versionsOf(blocks)) if (version.length > 0 && fits(version)) return version;
  return undefined;
}
