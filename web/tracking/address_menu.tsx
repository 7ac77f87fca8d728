import { ActionIcon, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconActivity, IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { Link, useParams } from "react-router";
import { toast } from "sonner";
import { type Association, api } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { useAction } from "./queries.ts";
import { RemoveDialog } from "./remove_button.tsx";
import { screenPath } from "./screen_path.ts";

type Props = { association: Association; onRemoved: () => void };

/** The actions for a tracked address. */
export function AddressMenu({ association, onRemoved }: Props) {
  const text = useText();
  const { lang } = useParams();
  const [removing, { open, close }] = useDisclosure();
  const { id, address, paused } = association;
  const { mutate: togglePause, isPending } = useAction({
    call: () => api.pauseAssociation(id, !paused),
    failureTitle: "association.pause_failed",
    onDone: () => toast.success(text(paused ? "association.now_resumed" : "association.now_paused", { address })),
  });
  const PauseMark = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <>
      {/* Without the placeholder that takes the initial focus: it is not a menu item, which a menu must not contain. */}
      <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={text("table.more", { address })} loading={isPending}>
            <IconDots size={20} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            component={Link}
            to={screenPath(lang, address)}
            leftSection={<IconActivity size={18} aria-hidden="true" />}
          >
            {text("association.screen")}
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={`/${lang}/update-track/${id}`}
            leftSection={<IconPencil size={18} aria-hidden="true" />}
          >
            {text("association.update")}
          </Menu.Item>
          <Menu.Item leftSection={<PauseMark size={18} aria-hidden="true" />} onClick={() => togglePause()}>
            {text(paused ? "association.resume" : "association.pause")}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={18} aria-hidden="true" />} onClick={open}>
            {text("association.remove")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RemoveDialog association={association} opened={removing} onClose={close} onRemoved={onRemoved} />
    </>
  );
}
