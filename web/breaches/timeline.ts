/** The positions of the dots in pixels; `index` refers to the list of days passed in. */
export type Timeline = {
  dots: { index: number; x: number; y: number }[];
  ticks: { x: number; year: number }[];
  radius: number;
  /** The height of the axis below the dots. */
  axis: number;
};

const MARGIN = 20;
const GAP = 2;
const RADII = [7, 5, 4, 3, 2];
const SMALLEST = RADII.length - 1;
/** Higher stacks get smaller dots, within these heights. */
const MOST_HEIGHT = 150;
const LEAST_HEIGHT = 64;
const LEAST_YEARS = 3;
const YEAR_WIDTH = 48;
const YEAR_STEPS = [1, 2, 5, 10, 20];

function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

/** The stack level of each dot: the lowest at which it does not overlap earlier ones. */
function levelsOf(xs: number[], width: number): number[] {
  const ends: number[] = [];
  return xs.map((x) => {
    const free = ends.findIndex((end) => x - end >= width);
    const level = free === -1 ? ends.length : free;
    ends[level] = x;
    return level;
  });
}

/** Lays out days such as 2024-03-12, in ascending order, on an axis of whole years up to the current one. */
export function timelineOf(days: string[], { width, today }: { width: number; today: string }): Timeline {
  const last = Math.max(yearOf(today), ...days.map(yearOf));
  const first = Math.min(last - LEAST_YEARS + 1, ...days.map(yearOf));
  const from = Date.UTC(first, 0);
  const span = Date.UTC(last + 1, 0) - from;
  const room = Math.max(width - 2 * MARGIN, 1);
  const placeOf = (time: number) => MARGIN + ((time - from) / span) * room;
  const xs = days.map((day) => placeOf(Date.parse(day)));
  const stacked = RADII.map((radius) => ({ radius, step: 2 * radius + GAP, levels: levelsOf(xs, 2 * radius + GAP) }));
  const fitting = stacked.find(({ step, levels }) => (Math.max(0, ...levels) + 1) * step <= MOST_HEIGHT);
  const { radius, step, levels } = fitting ?? stacked[SMALLEST] ?? { radius: 2, step: 6, levels: [] };
  const axis = Math.max(LEAST_HEIGHT, (Math.max(0, ...levels) + 1) * step + GAP);
  return {
    dots: xs.map((x, index) => ({ index, x, y: axis - GAP - (levels[index] ?? 0) * step - radius })),
    ticks: ticksOf(first, last, room).map((year) => ({ year, x: placeOf(Date.UTC(year, 0)) })),
    radius,
    axis,
  };
}

/** Round years, as many as there is room for. */
function ticksOf(first: number, last: number, room: number): number[] {
  const years = Array.from({ length: last - first + 2 }, (_, index) => first + index);
  const most = Math.max(2, Math.floor(room / YEAR_WIDTH));
  const step = YEAR_STEPS.find((size) => years.length / size <= most) ?? 50;
  return years.filter((year) => year % step === 0);
}

/** The dot nearest to a point within reach, or undefined. */
export function nearestDot({ dots }: Timeline, point: { x: number; y: number }): number | undefined {
  const REACH = 24;
  const far = dots.map(({ x, y }) => Math.hypot(x - point.x, y - point.y));
  const least = Math.min(...far);
  return least <= REACH ? far.indexOf(least) : undefined;
}
