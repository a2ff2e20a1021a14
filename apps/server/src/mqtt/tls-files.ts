import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";

/** Where certificate and key of the MQTT listener lie, both PEM. */
export interface TlsFiles {
  /** The server's certificate first, those of the authorities between it and a root behind it. */
  certFile: string;
  keyFile: string;
}

export interface TlsKeys {
  cert: Buffer;
  key: Buffer;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "the server may not read it",
  EISDIR: "it is a folder",
};

async function read(setting: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new Error(`${setting} is ${path}, but ${reasons[code] ?? message}`);
  }
}

const isReadable = (parse: () => unknown): boolean => {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
};

/** @throws an error that names the setting and what is wrong with it */
export async function readTlsFiles({ certFile, keyFile }: TlsFiles): Promise<TlsKeys> {
  const [cert, key] = await Promise.all([read("MQTT_TLS_CERT_FILE", certFile), read("MQTT_TLS_KEY_FILE", keyFile)]);
  if (!isReadable(() => new X509Certificate(cert)))
    throw new Error(`MQTT_TLS_CERT_FILE is ${certFile}, which holds no certificate in PEM`);
  if (!isReadable(() => createPrivateKey(key)))
    throw new Error(`MQTT_TLS_KEY_FILE is ${keyFile}, which holds no private key in PEM without a password`);
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new Error(`the key in MQTT_TLS_KEY_FILE (${keyFile}) does not belong to the certificate in ${certFile}`);
  if (!isReadable(() => createSecureContext({ cert, key })))
    throw new Error(`MQTT_TLS_CERT_FILE is ${certFile}, whose certificate TLS can't use`);
  return { cert, key };
}

/**
 * Looks at the files again and again. Their content is compared, as tools that renew certificates replace files, folders or links.
 * @param onChange is given each new pair that fits; a pair that does not is tried again at the next look
 * @param onError is told once for each reason
 * @returns what ends it
 */
export function watchTlsFiles(
  files: TlsFiles,
  first: TlsKeys,
  everyMs: number,
  onChange: (keys: TlsKeys) => void,
  onError: (error: Error) => void,
): () => void {
  let held = first;
  let told = "";
  const look = async () => {
    try {
      const found = await readTlsFiles(files);
      told = "";
      if (found.cert.equals(held.cert) && found.key.equals(held.key)) return;
      held = found;
      onChange(found);
    } catch (error) {
      const { message } = error as Error;
      if (message !== told) onError(error as Error);
      told = message;
    }
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
