package auth

// Role is what a member may do in an organisation; each includes what the ones below it may do.
type Role string

const (
	Owner  Role = "owner"  // also makes and unmakes owners
	Admin  Role = "admin"  // manages members, teams and cycles, and sees everything
	Member Role = "member" // writes objectives and follows them
	Viewer Role = "viewer" // reads
)

// rank orders roles; an unknown role has none.
func (r Role) rank() int {
	switch r {
	case Owner:
		return 4
	case Admin:
		return 3
	case Member:
		return 2
	case Viewer:
		return 1
	}
	return 0
}

// AtLeast reports whether r includes what least may do.
func (r Role) AtLeast(least Role) bool { return r.rank() > 0 && r.rank() >= least.rank() }

// TeamRole is what a member is in a team.
type TeamRole string

const (
	TeamLead   TeamRole = "lead"   // reviews the team's objectives
	TeamMember TeamRole = "member" // belongs to the team
)
