import { FileButton } from "../kit/file-button.tsx";
import { useTranslate } from "../language/use-language.ts";
import styles from "./sheet-picker.module.css";
import { sheetExtensions } from "./sheet-places.ts";

interface SheetPickerProps {
  /** The one that is chosen. */
  file: File | undefined;
  onPick: (file: File | undefined) => void;
}

/** Chooses a sheet that is sent later, and names it. */
export function SheetPicker({ file, onPick }: SheetPickerProps) {
  const t = useTranslate();
  const kinds = t("xlsx、xls、csv 等表格");
  return (
    <p className={styles.picker}>
      <FileButton icon="sheet" label={kinds} accept={sheetExtensions.join()} onPick={([picked]) => onPick(picked)}>
        {t(file ? "换一张表格" : "选择表格")}
      </FileButton>
      <span className="mut">{file?.name ?? kinds}</span>
    </p>
  );
}
