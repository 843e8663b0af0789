-- migrate:up

-- Files may be Excel workbooks: which of its sheets was read, and which there are. The others were not kept.
ALTER TABLE imports
    DROP CONSTRAINT imports_format_check,
    ADD CONSTRAINT imports_format_check CHECK (format IN ('csv', 'json', 'xlsx')),
    ADD COLUMN sheet  text NOT NULL DEFAULT '' CHECK (char_length(sheet) <= 100),
    ADD COLUMN sheets text[] NOT NULL DEFAULT '{}' CHECK (cardinality(sheets) <= 200);

-- migrate:down
UPDATE imports SET format = 'csv' WHERE format = 'xlsx';
ALTER TABLE imports
    DROP CONSTRAINT imports_format_check,
    ADD CONSTRAINT imports_format_check CHECK (format IN ('csv', 'json')),
    DROP COLUMN sheet,
    DROP COLUMN sheets;
