/** Name of the list of contracts at the group's desk. */
export const deskListName = "contract_desk_screen";

/** Of what the group's desk reads of contracts. */
export const deskKey = ["resource", deskListName] as const;
