import { IconUserCheck, IconUsers } from "@tabler/icons-react";
import { useText } from "../app/i18n.tsx";
import { ChoiceCards } from "../ui/form/choice_cards.tsx";

type Props = { owner: boolean; onChoose: (owner: boolean) => void };

/** Asks whose address it is, as the next steps depend on it. */
export function OwnerCards({ owner, onChoose }: Props) {
  const text = useText();
  return (
    <ChoiceCards
      legend={text("track.whose")}
      options={[
        { value: "me", icon: IconUserCheck, title: text("track.owner"), hint: text("track.own_hint") },
        { value: "somebody", icon: IconUsers, title: text("track.somebody"), hint: text("track.somebody_hint") },
      ]}
      value={owner ? "me" : "somebody"}
      onChange={(value) => onChoose(value === "me")}
    />
  );
}
