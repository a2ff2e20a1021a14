/** Cache key of everything of the desk. */
export const deskKey = ["work-order-desk"] as const;
