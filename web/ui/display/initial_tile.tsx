import { tileOf } from "./initial.ts";
import classes from "./initial_tile.module.css";

/** A tile in place of a service's logo; its colour derives from the stable name. */
export function InitialTile({ name, title, large = false }: { name: string; title: string; large?: boolean }) {
  const { letters, colour } = tileOf(name, title);
  return (
    <span className={classes.tile} style={{ background: colour }} data-large={large || undefined} aria-hidden="true">
      {letters}
    </span>
  );
}
