import { tileOf } from "./initial.ts";
import classes from "./initial_tile.module.css";

/** Stands in for a service's logo; the colour goes by its name, which does not change. */
export function InitialTile({ name, title, large = false }: { name: string; title: string; large?: boolean }) {
  const { letters, colour } = tileOf(name, title);
  return (
    <span className={classes.tile} style={{ background: colour }} data-large={large || undefined} aria-hidden="true">
      {letters}
    </span>
  );
}
