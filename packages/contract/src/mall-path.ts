/** Mall links open at this path of the mall host, with the code as `fkg`. By itself, because the mall's stand-in needs nothing else. */
export const mallPath = "/pc/";
