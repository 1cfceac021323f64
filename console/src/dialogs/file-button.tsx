import { UploadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useRef } from 'react';

interface FileButtonProps {
  readonly label: string;
  readonly primary?: boolean;
  readonly busy?: boolean;
  readonly onFile: (file: File) => void;
}

/** A button that lets the user choose one file. */
export function FileButton({ label, primary = false, busy = false, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        {...(primary ? { type: 'primary' as const } : {})}
        icon={<UploadOutlined />}
        loading={busy}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // Reset, so that the same file can be chosen again after a correction.
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}
