package okr

// Visibility says who may see an objective, in every list, search, picker, feed, export and prompt.
type Visibility string

const (
	VisibleToOrganization Visibility = "organization" // everyone in the organisation
	VisibleToTeam         Visibility = "team"         // the owner, the members and leads of the team, and admins
	VisiblePrivate        Visibility = "private"      // the owner, the leads of its team, and admins
)

// Valid reports whether v is one of the three visibilities.
func (v Visibility) Valid() bool {
	return v == VisibleToOrganization || v == VisibleToTeam || v == VisiblePrivate
}

// Reader is what someone of the same organisation is to an objective.
type Reader struct {
	Owner    bool // owns the objective
	Member   bool // is in the objective's team
	TeamLead bool // leads the objective's team
	Admin    bool // administers the organisation
}

// SeenBy reports whether the reader, who belongs to the objective's organisation, may see it. An unknown visibility is
// treated as private.
func (v Visibility) SeenBy(r Reader) bool {
	switch v {
	case VisibleToOrganization:
		return true
	case VisibleToTeam:
		return r.Owner || r.TeamLead || r.Admin || r.Member
	}
	return r.Owner || r.TeamLead || r.Admin
}
