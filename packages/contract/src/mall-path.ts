/**
 * Path of mall links on the mall's host, with the code as `fkg`; a module of its own because the mall's stand-in needs nothing
 * else.
 */
export const mallPath = "/pc/";
