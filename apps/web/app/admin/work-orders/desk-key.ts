/** Name of the list of the desk's orders. */
export const deskListName = "work_order_desk_screen";

/** Cache key of everything of the desk. */
export const deskKey = ["resource", deskListName] as const;
