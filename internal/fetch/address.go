package fetch

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"code.dny.dev/ssrf"
)

// Allow is what an operator opens beyond the public Internet. The zero Allow opens nothing.
type Allow struct {
	names    map[string][]uint16 // the ports that are open of a host
	networks []openNetwork
}

type openNetwork struct {
	prefix netip.Prefix
	ports  []uint16
}

// ParseAllow reads host names, addresses and networks in CIDR notation: "wiki.example.com", "wiki:8080", "10.1.2.3", "[fd00::1]:8080", "10.1.2.0/24". Without a port it is 80 and 443.
// A name opens loopback and private addresses that it resolves to; any other that is not public has to be listed as an address.
func ParseAllow(entries []string) (Allow, error) {
	a := Allow{names: map[string][]uint16{}}
	for _, entry := range entries {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		if prefix, ports, ok := parseNetwork(entry); ok {
			a.networks = append(a.networks, openNetwork{prefix, ports})
			continue
		}
		host, port, err := splitHost(entry)
		if err != nil {
			return Allow{}, fmt.Errorf("%q is no host, address or network: %w", entry, err)
		}
		a.names[host] = append(a.names[host], portsOr(port)...)
	}
	return a, nil
}

func parseNetwork(entry string) (prefix netip.Prefix, ports []uint16, ok bool) {
	if prefix, err := netip.ParsePrefix(entry); err == nil {
		return prefix.Masked(), webPorts(), true
	}
	address, ports := netip.Addr{}, webPorts()
	if at, err := netip.ParseAddrPort(entry); err == nil {
		address, ports = at.Addr(), []uint16{at.Port()}
	} else if address, err = netip.ParseAddr(entry); err != nil {
		return netip.Prefix{}, nil, false
	}
	address = address.Unmap()
	return netip.PrefixFrom(address, address.BitLen()), ports, address.Zone() == ""
}

func webPorts() []uint16 { return []uint16{80, 443} }

// portsOr is the port as splitHost has checked it, or those of the Web.
func portsOr(port string) []uint16 {
	if number, err := strconv.ParseUint(port, 10, 16); err == nil {
		return []uint16{uint16(number)}
	}
	return webPorts()
}

func (a Allow) name(host string, port uint16) bool { return slices.Contains(a.names[host], port) }

func (a Allow) address(address netip.Addr, port uint16) bool {
	return slices.ContainsFunc(a.networks, func(open openNetwork) bool {
		return open.prefix.Contains(address) && slices.Contains(open.ports, port)
	})
}

// guard decides which addresses may be dialled: those of the public Internet, and what the operator has opened.
//
// Its base is the module ssrf: the special-purpose registries of IANA, which hold loopback, private, link-local, shared (100.64.0.0/10), documentation, benchmarking,
// multicast and reserved addresses, the metadata services that live in these (169.254.169.254, fd00:ec2::254, 100.100.100.200, 192.0.0.192); and in IPv6 everything outside 2000::/3, and with it
// unique-local, site-local, mapped, compatible, translated and NAT64 addresses, within it 6to4 and Teredo. What it lacks is here: a metadata
// service at a public address, ISATAP, whose addresses carry one of IPv4 below any prefix, and zones. A NAT64 prefix of a provider's own cannot be known.
type guard struct {
	allow  Allow
	ports  []uint16
	strict *ssrf.Guardian
	named  *ssrf.Guardian // for hosts that the operator named
}

func newGuard(allow Allow, more []uint16) *guard {
	azure := ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")) // the agent and metadata of Azure's machines
	return &guard{
		allow:  allow,
		ports:  append(webPorts(), more...),
		strict: ssrf.New(ssrf.WithAnyPort(), azure),
		named: ssrf.New(ssrf.WithAnyPort(), azure,
			ssrf.WithAllowedV4Prefixes(netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"),
				netip.MustParsePrefix("192.168.0.0/16"), netip.MustParsePrefix("100.64.0.0/10")),
			ssrf.WithAllowedV6Prefixes(netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("fd00::/8"))),
	}
}

// permit says whether host, which resolved to at, may be dialled there.
func (g *guard) permit(host string, at netip.AddrPort) error {
	address := at.Addr().Unmap() // that is where the packet goes
	named := g.allow.name(host, at.Port())
	switch {
	case address.Zone() != "":
		return failf(RefusedAddress, "%s has a zone", address)
	case g.allow.address(address, at.Port()):
		return nil
	case !named && !g.mayHavePort(at.Port()):
		return failf(RefusedPort, "port %d", at.Port())
	case isISATAP(address):
		return failf(RefusedAddress, "%s carries an address of IPv4", address)
	}
	guardian := g.strict
	if named {
		guardian = g.named
	}
	if err := guardian.SafeAddr(address); err != nil {
		return fail(RefusedAddress, err)
	}
	return nil
}

func (g *guard) mayHavePort(port uint16) bool { return slices.Contains(g.ports, port) }

// isISATAP looks at the interface identifier of RFC 5214: 0000:5efe or 0200:5efe, and then the address.
func isISATAP(address netip.Addr) bool {
	if !address.Is6() {
		return false
	}
	b := address.As16()
	return b[8]&^0x02 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
