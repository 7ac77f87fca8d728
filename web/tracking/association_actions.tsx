import { Button } from "@mantine/core";
import { IconActivity, IconPencil, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { Link, useParams } from "react-router";
import { toast } from "sonner";
import { type Association, api } from "../api.ts";
import { useText } from "../i18n.tsx";
import classes from "./association_card.module.css";
import { useAction } from "./queries.ts";
import { RemoveButton } from "./remove_button.tsx";
import { screenPath } from "./screen_path.ts";

type Props = { association: Association; onRemoved: () => void };

/** What can be done with a tracked address. */
export function AssociationActions({ association, onRemoved }: Props) {
  const text = useText();
  const { lang } = useParams();
  const { id, address } = association;
  return (
    <div className={classes.actions}>
      <Button
        component={Link}
        to={screenPath(lang, address)}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconActivity size={17} aria-hidden="true" />}
        aria-label={text("association.screen_label", { address })}
      >
        {text("association.screen")}
      </Button>
      <Button
        component={Link}
        to={`/${lang}/update-track/${id}`}
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconPencil size={17} aria-hidden="true" />}
        aria-label={text("association.update_label", { address })}
      >
        {text("association.update")}
      </Button>
      <Pause association={association} />
      <RemoveButton association={association} onRemoved={onRemoved} />
    </div>
  );
}

function Pause({ association: { id, address, paused } }: { association: Association }) {
  const text = useText();
  const { mutate, isPending } = useAction({
    call: () => api.pauseAssociation(id, !paused),
    failureTitle: "association.pause_failed",
    onDone: () => toast.success(text(paused ? "association.now_resumed" : "association.now_paused", { address })),
  });
  const Mark = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<Mark size={17} aria-hidden="true" />}
      loading={isPending}
      aria-label={text(paused ? "association.resume_label" : "association.pause_label", { address })}
      onClick={() => mutate()}
    >
      {text(paused ? "association.resume" : "association.pause")}
    </Button>
  );
}
