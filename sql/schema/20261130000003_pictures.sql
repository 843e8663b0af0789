-- migrate:up

-- Who a person is at an identity provider, and where that provider keeps their picture. It belongs to the person, not to an organisation. A person has one
-- at each provider: an address that a provider gives to somebody else later does not lead them to who had it before.
CREATE TABLE identities (
    issuer       text NOT NULL CHECK (char_length(issuer) BETWEEN 1 AND 500),
    subject      text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
    user_id      uuid NOT NULL REFERENCES users (id),
    picture_url  text CHECK (char_length(picture_url) <= 2000),
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    signed_in_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (issuer, subject),
    CONSTRAINT identities_one_per_issuer UNIQUE (user_id, issuer)
);

-- A member's picture, re-encoded by this program. content_hash is SHA-256 of content, and part of its address. source_url is where it was imported from;
-- null where it was uploaded by hand, which no import replaces.
CREATE TABLE member_icons (
    organization_id uuid NOT NULL,
    user_id         uuid NOT NULL,
    content_hash    bytea NOT NULL CHECK (octet_length(content_hash) = 32),
    content_type    text NOT NULL CHECK (content_type IN ('image/png', 'image/jpeg')),
    content         bytea NOT NULL CHECK (octet_length(content) BETWEEN 1 AND 524288),
    source_url      text CHECK (char_length(source_url) <= 2000),
    changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, user_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id)
);

-- What a linked page says of itself, kept until expires_at. state tells what came of fetching it.
CREATE TABLE link_previews (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    url_hash        bytea NOT NULL CHECK (octet_length(url_hash) = 32),
    url             text NOT NULL CHECK (char_length(url) BETWEEN 1 AND 2000),
    state           text NOT NULL CHECK (state IN ('fetched', 'refused', 'failed')),
    title           text CHECK (char_length(title) <= 300),
    description     text CHECK (char_length(description) <= 1000),
    site_name       text CHECK (char_length(site_name) <= 200),
    image_url       text CHECK (char_length(image_url) <= 2000),
    failure         text CHECK (char_length(failure) <= 60),
    fetched_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, url_hash)
);
CREATE INDEX link_previews_by_end ON link_previews (organization_id, expires_at);

GRANT SELECT, INSERT, UPDATE (picture_url, signed_in_at) ON identities TO kakeai_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON member_icons, link_previews TO kakeai_app;
ALTER TABLE member_icons  ENABLE ROW LEVEL SECURITY;
ALTER TABLE link_previews ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON member_icons  USING (organization_id = (SELECT current_organization()));
CREATE POLICY tenant ON link_previews USING (organization_id = (SELECT current_organization()));

-- migrate:down
DROP TABLE link_previews, member_icons, identities;
