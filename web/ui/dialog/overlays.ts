/** Dialogs and drawers with their focus trap and scroll lock, in a chunk that is loaded before the first is opened. */
export { Drawer, Modal } from "@mantine/core";
