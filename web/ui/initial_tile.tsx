import { colourOf, initialOf } from "./initial.ts";
import classes from "./initial_tile.module.css";

/** Stands in for a service's logo, so that no picture is fetched from anywhere. */
export function InitialTile({ title, large = false }: { title: string; large?: boolean }) {
  return (
    <span className={classes.tile} data-colour={colourOf(title)} data-large={large || undefined} aria-hidden="true">
      {initialOf(title)}
    </span>
  );
}
