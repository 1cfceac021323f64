import { Dropdown, type DropdownProps, type MenuProps } from 'antd';

interface PopupMenuProps extends Omit<DropdownProps, 'menu'> {
  readonly menu: MenuProps;
}

/** A menu that opens on a press (or what `trigger` says) and takes the focus, so that arrows move in it at once. */
export function PopupMenu({ menu, ...props }: PopupMenuProps) {
  return (
    <Dropdown
      autoFocus
      trigger={['click']}
      {...props}
      menu={{
        ...menu,
        onClick: (chosen) => {
          // Enter chooses on its way down: a dialog that opens and takes the focus at once would have one of its buttons pressed, too.
          chosen.domEvent.preventDefault();
          menu.onClick?.(chosen);
        },
      }}
    />
  );
}
