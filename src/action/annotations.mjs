// Findings as commands to the runner of workflows, which shows them beside the lines.

/** The text of a command, in which line breaks have other names. */
function data(text) {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** The value of a property, in which the signs between properties have other names too. */
function property(value) {
  return data(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** The command that shows a finding. */
export function annotation(finding) {
  const { level, title, message, file, line, endLine, column, endColumn } = finding;
  // Columns have a meaning only in one line.
  const isOneLine = line !== undefined && (endLine === undefined || endLine === line);
  const properties = Object.entries({
    file,
    line,
    endLine,
    col: isOneLine ? column : undefined,
    endColumn: isOneLine ? endColumn : undefined,
    title,
  }).filter(([, value]) => value !== undefined);
  const list = properties.map(([name, value]) => `${name}=${property(value)}`).join(",");
  return `::${level} ${list}::${data(message)}`;
}
