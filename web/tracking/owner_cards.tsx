import { type Icon, IconUserCheck, IconUsers } from "@tabler/icons-react";
import { useId } from "react";
import { useText } from "../app/i18n.tsx";
import classes from "./owner_cards.module.css";

type Props = { owner: boolean; onChoose: (owner: boolean) => void };

/** Asks whose address it is, as the next steps depend on it. */
export function OwnerCards({ owner, onChoose }: Props) {
  const text = useText();
  const legend = useId();
  return (
    <div role="radiogroup" aria-labelledby={legend} className={classes.group}>
      <p id={legend}>{text("track.whose")}</p>
      <div className={classes.cards}>
        <OwnerCard
          icon={IconUserCheck}
          title={text("track.owner")}
          hint={text("track.own_hint")}
          checked={owner}
          onCheck={() => onChoose(true)}
        />
        <OwnerCard
          icon={IconUsers}
          title={text("track.somebody")}
          hint={text("track.somebody_hint")}
          checked={!owner}
          onCheck={() => onChoose(false)}
        />
      </div>
    </div>
  );
}

type CardProps = { icon: Icon; title: string; hint: string; checked: boolean; onCheck: () => void };

function OwnerCard({ icon: Mark, title, hint, checked, onCheck }: CardProps) {
  const id = useId();
  return (
    <label className={classes.card}>
      <input
        type="radio"
        name="owner"
        checked={checked}
        onChange={onCheck}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-hint`}
      />
      <Mark size={26} stroke={1.75} aria-hidden="true" />
      <span className={classes.words}>
        <span id={`${id}-title`} className={classes.title}>
          {title}
        </span>
        <span id={`${id}-hint`} className={classes.hint}>
          {hint}
        </span>
      </span>
    </label>
  );
}
