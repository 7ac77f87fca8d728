import { ActionIcon } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconActivity, IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { Link } from "react-router";
import { toast } from "sonner";
import type { Association } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import type { Menu } from "../ui/dialog/overlays.ts";
import { useOverlays } from "../ui/dialog/use_overlays.ts";
import { useAction } from "./queries.ts";
import { RemoveDialog } from "./remove_button.tsx";
import { screenPath } from "./screen_path.ts";

type Props = { association: Association; onRemoved: () => void };

/** The actions for a tracked address. */
export function AddressMenu({ association, onRemoved }: Props) {
  const text = useText();
  const { id, address, paused } = association;
  const [opened, menu] = useDisclosure();
  const { overlays, isOpen } = useOverlays(opened, menu.close);
  const [removing, { open, close }] = useDisclosure();
  const { mutate: togglePause, isPending } = useAction({
    call: () => post("/api/associations/:id/pause", { params: { id }, body: { paused: !paused } }),
    failureTitle: "association.pause_failed",
    onDone: () => toast.success(text(paused ? "association.now_resumed" : "association.now_paused", { address })),
  });
  const button = {
    variant: "subtle",
    color: "gray",
    "aria-label": text("table.more", { address }),
    children: <IconDots size={20} aria-hidden="true" />,
  };
  if (!overlays) return <ActionIcon {...button} aria-haspopup="menu" aria-expanded="false" onClick={menu.open} />;
  const { Menu } = overlays;
  return (
    <>
      {/* Without the placeholder that takes the initial focus: it is not a menu item, which a menu must not contain. */}
      <Menu opened={isOpen} onChange={menu.set} position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
        <Menu.Target>
          {/* It replaces the focused button that loaded the menu. */}
          <ActionIcon {...button} loading={isPending} autoFocus={opened} />
        </Menu.Target>
        <Menu.Dropdown>
          <Items in={Menu} association={association} onPause={togglePause} onRemove={open} />
        </Menu.Dropdown>
      </Menu>
      <RemoveDialog association={association} opened={removing} onClose={close} onRemoved={onRemoved} />
    </>
  );
}

type ItemsProps = { in: typeof Menu; association: Association; onPause: () => void; onRemove: () => void };

function Items({ in: { Item }, association: { id, address, paused }, onPause, onRemove }: ItemsProps) {
  const text = useText();
  const PauseMark = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <>
      <Item component={Link} to={screenPath(address)} leftSection={<IconActivity size={18} aria-hidden="true" />}>
        {text("association.screen")}
      </Item>
      <Item component={Link} to={`../update-track/${id}`} leftSection={<IconPencil size={18} aria-hidden="true" />}>
        {text("association.update")}
      </Item>
      <Item leftSection={<PauseMark size={18} aria-hidden="true" />} onClick={() => onPause()}>
        {text(paused ? "association.resume" : "association.pause")}
      </Item>
      <Item color="red" leftSection={<IconTrash size={18} aria-hidden="true" />} onClick={onRemove}>
        {text("association.remove")}
      </Item>
    </>
  );
}
