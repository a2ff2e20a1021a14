/** From this width of the window a drawer stands beside its list. */
export const drawerAside = "(min-width: 1241px)";
