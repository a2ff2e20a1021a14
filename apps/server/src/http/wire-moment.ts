/** The moment that a time of the wire names, which is Shanghai's. */
export const momentOf = (wire: string): Date => new Date(`${wire.replace(" ", "T")}+08:00`);
