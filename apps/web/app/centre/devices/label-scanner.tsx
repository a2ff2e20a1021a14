import { useEffect, useRef, useState } from "react";
import { Button } from "../../shared/kit/button.tsx";
import { FileButton } from "../../shared/kit/file-button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./bind.module.css";
import { type LabelText, readLabel } from "./label-text.ts";
import { createQrReader } from "./qr-reader.ts";

/** How often the camera's picture is searched, ms. */
const everyMs = 250;

/** Reads a label by the camera, or from a picture where there is none. */
export function LabelScanner({ onLabel }: { onLabel: (label: LabelText) => void }) {
  const t = useTranslate();
  const video = useRef<HTMLVideoElement>(null);
  const [scanning, setScanning] = useState(false);
  const [problem, setProblem] = useState<string>();
  const found = useRef(onLabel);
  found.current = onLabel;
  const hasCamera = typeof navigator !== "undefined" && navigator.mediaDevices?.getUserMedia !== undefined;

  useEffect(() => {
    if (!scanning) return;
    let ended = false;
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = async (): Promise<void> => {
      const [opened, read] = await Promise.all([
        navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } }),
        createQrReader(),
      ]);
      stream = opened;
      const shown = video.current;
      if (ended || !shown) return opened.getTracks().forEach((track) => void track.stop());
      shown.srcObject = opened;
      await shown.play();
      const look = async (): Promise<void> => {
        const text = await read(shown).catch(() => undefined);
        const label = text === undefined ? undefined : readLabel(text);
        if (ended) return;
        if (label) {
          setScanning(false);
          found.current(label);
        } else timer = setTimeout(() => void look(), everyMs);
      };
      await look();
    };
    begin().catch(() => {
      if (ended) return;
      setProblem("打不开摄像头，请允许使用，或选择标签的照片。");
      setScanning(false);
    });
    return () => {
      ended = true;
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
  }, [scanning]);

  const readFile = async (chosen: File): Promise<void> => {
    setProblem(undefined);
    try {
      const [picture, read] = await Promise.all([createImageBitmap(chosen), createQrReader()]);
      const text = await read(picture);
      const label = text === undefined ? undefined : readLabel(text);
      if (label) onLabel(label);
      else setProblem("照片里没有找到设备标签的二维码，请靠近些、对准些再拍。");
    } catch {
      setProblem("这张照片读不出来，请换一张。");
    }
  };

  return (
    <div className={styles.scanner}>
      {scanning && (
        <div className={styles.view}>
          <video ref={video} muted playsInline />
        </div>
      )}
      <div className={styles.scanButtons}>
        {hasCamera && (
          <Button
            icon={scanning ? "close" : "qr"}
            onPress={() => {
              setProblem(undefined);
              setScanning(!scanning);
            }}
          >
            {t(scanning ? "停止扫码" : "用摄像头扫码")}
          </Button>
        )}
        <FileButton icon="upload" label={t("选择标签照片")} accept="image/*" onPick={([file]) => void readFile(file)}>
          {t("选择标签照片")}
        </FileButton>
      </div>
      {problem && (
        <p className="state minor" role="alert">
          {t(problem)}
        </p>
      )}
    </div>
  );
}
