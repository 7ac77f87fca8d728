import "../../styles/mantine_overlays.css";

/** Dialogs, drawers and menus with their focus trap and scroll lock, in a chunk that is loaded before the first is opened. */
export { Drawer, Menu, Modal } from "@mantine/core";
