import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const saltBytes = 16;
const hashBytes = 32;
/**
 * About 10 ms of one core: a farm's devices reconnect together, and what was found is remembered for some seconds. Passwords of
 * devices are made by machines, and wrong ones are limited by address.
 */
const cost = { N: 4096, r: 8, p: 1 };

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password, salt, hashBytes, cost, (error, key) => (error ? reject(error) : resolve(key))),
  );

/** Hash of a device's password with its salt in front. */
export async function hashDevicePassword(password: string): Promise<Buffer> {
  const salt = randomBytes(saltBytes);
  return Buffer.concat([salt, await derive(password, salt)]);
}

export async function isDevicePassword(password: string, hash: Buffer): Promise<boolean> {
  const expected = hash.subarray(saltBytes);
  return timingSafeEqual(await derive(password, hash.subarray(0, saltBytes)), expected);
}
